/** interim */
export function PhotosField(_props: { isRequired: boolean; onUploading: (isUploading: boolean) => void }) {
  return null;
}
