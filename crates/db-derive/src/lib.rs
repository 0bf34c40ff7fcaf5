//! `#[derive(FromRow)]` of `berth_db`: each field is read from the column of its name; a field with `#[row(flatten)]` is
//! itself read from the row.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Field, Fields, parse_macro_input};

/// Implements `berth_db::FromRow` for a struct with named fields.
#[proc_macro_derive(FromRow, attributes(row))]
pub fn from_row(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn implementation(input: &DeriveInput) -> syn::Result<Tokens> {
    let Data::Struct(data) = &input.data else { return Err(Error::new_spanned(input, "a row becomes a struct")) };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(input, "a row becomes a struct with named fields"));
    };
    let reads = fields.named.iter().map(read).collect::<syn::Result<Vec<_>>>()?;
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    Ok(quote! {
        impl #generics ::berth_db::FromRow for #name #arguments #conditions {
            fn from_row(row: &::berth_db::Row<'_>) -> ::berth_db::Result<Self> {
                Ok(Self { #(#reads),* })
            }
        }
    })
}

/// How one field is read.
fn read(field: &Field) -> syn::Result<Tokens> {
    let name = field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, "a field has a name"))?;
    let mut is_flat = false;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("row")) {
        attribute.parse_nested_meta(|meta| {
            is_flat = meta.path.is_ident("flatten");
            if is_flat { Ok(()) } else { Err(meta.error("the only attribute is #[row(flatten)]")) }
        })?;
    }
    if is_flat {
        return Ok(quote! { #name: ::berth_db::FromRow::from_row(row)? });
    }
    let column = name.unraw().to_string();
    Ok(quote! { #name: row.get(#column)? })
}
