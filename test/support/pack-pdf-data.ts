import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'

// Writes cmaps.zip and decoders.zip: `npm pack pdfjs-dist`, unpack it, then `node test/support/pack-pdf-data.ts <folder>/package`. The
// present ones are from pdfjs-dist 6.1.200, the version that unpdf 1.8.1 contains; the decoders have to be of that very version. The
// package itself is no dependency: it installs 70 MB, of which these are 1.3 MB.

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the package.')

type Entries = readonly (readonly [name: string, bytes: Uint8Array])[]

function pack(archive: string, entries: Entries): void {
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  // a fixed time: the same files give the same archive
  const bytes = zipSync(Object.fromEntries(sorted), { level: 9, mtime: '2020-01-01' })
  writeFileSync(new URL(`../../functions/documents/${archive}`, import.meta.url), bytes)
}

const read = (path: string, names: readonly string[]): Entries =>
  names.map((name) => [name, new Uint8Array(readFileSync(join(folder, path, name)))] as const)

const worker = readFileSync(join(folder, 'build/pdf.worker.mjs'), 'utf8')
/** The code around a decoder, which pdf.js has as a module of its own. */
function readGlue(name: string, exported: string): Entries {
  const [, code] = worker.split(`;// ./external/${name}/${name}.js\n`)
  if (code === undefined) throw new Error(`no ${name}`)
  const text = `${code.slice(0, code.indexOf('\n;// ./'))}\nexport default ${exported}\n`
  return [[`${name}.js`, new TextEncoder().encode(text)]]
}

pack('cmaps.zip', read('cmaps', readdirSync(join(folder, 'cmaps'))))
pack('decoders.zip', [
  ...readGlue('jbig2', 'JBig2'),
  ...readGlue('openjpeg', 'OpenJPEG'),
  ...read('wasm', [
    'jbig2.wasm',
    'LICENSE_JBIG2',
    'LICENSE_PDFJS_JBIG2',
    'openjpeg.wasm',
    'LICENSE_OPENJPEG',
    'LICENSE_PDFJS_OPENJPEG',
  ]),
])
