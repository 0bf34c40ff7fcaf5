import { inflateRawSync } from 'node:zlib';
import type { Download } from '@playwright/test';
import { getDocumentProxy } from 'unpdf';

/** The text of each page of a PDF in the order in which it was drawn, without white space: lines break where the paper ends. */
export async function textOfPdf(file: Buffer): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(file));
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(withoutSpace(items.map((item) => ('str' in item ? item.str : '')).join('')));
  }
  return pages;
}

export function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** The bytes of a file that the browser saved. */
export async function bytesOf(download: Download): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The rows of a file of comma-separated values that has each value between quotes. */
export function rowsOfCsv(file: Buffer): string[][] {
  const lines = file.toString('utf8').replace('\uFEFF', '').trimEnd().split(/\r?\n/);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('","')
      .map((value) => value.replaceAll('""', '"')),
  );
}

/** The rows of the first sheet of a workbook; a cell that is not written is empty. */
export function rowsOfXlsx(file: Buffer): string[][] {
  const parts = partsOfZip(file);
  const shared = elements(parts.get('xl/sharedStrings.xml') ?? '', 'si').map(({ inner }) => textsIn(inner));
  return elements(parts.get('xl/worksheets/sheet1.xml') ?? '', 'row').map((row) => {
    const cells: string[] = [];
    for (const { head, inner } of elements(row.inner, 'c')) {
      const letter = /\br="([A-Z])/.exec(head)?.[1] ?? 'A';
      const [value] = elements(inner, 'v');
      const text = value?.inner ?? textsIn(inner);
      cells[letter.charCodeAt(0) - 65] = /\bt="s"/.test(head) ? (shared[Number(text)] ?? '') : text;
    }
    return Array.from(cells, (cell) => cell ?? '');
  });
}

/** The elements of this name, which do not hold each other. */
function elements(xml: string, name: string): { head: string; inner: string }[] {
  const found = xml.matchAll(new RegExp(`<${name}(\\s[^>]*?)?(?:/>|>(.*?)</${name}>)`, 'gs'));
  return Array.from(found, ([, head = '', inner = '']) => ({ head, inner }));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function textsIn(xml: string): string {
  const text = elements(xml, 't').map(({ inner }) => inner);
  return text.join('').replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** The files in a zip, by the directory at its end, as text. */
function partsOfZip(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const parts = new Map<string, string>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, name, extra, comment] = [20, 28, 30, 32].map((field) =>
      field === 20 ? file.readUInt32LE(at + field) : file.readUInt16LE(at + field),
    ) as [number, number, number, number];
    const start = file.readUInt32LE(at + 42);
    // Behind the head of the file itself, whose lengths may differ from those of the directory.
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const bytes = file.subarray(data, data + size);
    const isStored = file.readUInt16LE(at + 10) === 0;
    const text = (isStored ? bytes : inflateRawSync(bytes)).toString('utf8');
    parts.set(file.toString('utf8', at + 46, at + 46 + name), text);
    at += 46 + name + extra + comment;
  }
  return parts;
}
