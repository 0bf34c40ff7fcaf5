// Writes a brotli and a gzip form beside each text file of the build, at the best level, so that the server never
// compresses them while someone waits. `index.html` gets none: it changes with each answer (nonce).
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (!entry.isFile() || !/\.(js|css|svg|json|webmanifest|txt)$/.test(entry.name) || file.includes('/.vite/')) continue;
  const plain = readFileSync(file);
  const brotli = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  const gzip = gzipSync(plain, { level: 9 });
  if (brotli.length < plain.length) writeFileSync(`${file}.br`, brotli);
  if (gzip.length < plain.length) writeFileSync(`${file}.gz`, gzip);
}
