//! Tests of the program `berth` as a process.

#[cfg(test)]
mod binary;
