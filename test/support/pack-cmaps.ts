import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'

// Writes cmaps.zip: `npm pack pdfjs-dist`, unpack it, then `node test/support/pack-cmaps.ts <folder>/package/cmaps`. The present one is
// from pdfjs-dist 6.1.200, the version that unpdf 1.8.1 contains; the tables have been the same for years. The package itself is no
// dependency: it installs 70 MB, of which these are 1 MB.

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the CMaps.')
const entries = readdirSync(folder)
  .toSorted()
  .map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))] as const)
// a fixed time: the same tables give the same archive
const archive = zipSync(Object.fromEntries(entries), { level: 9, mtime: '2020-01-01' })
writeFileSync(new URL('../../functions/documents/cmaps.zip', import.meta.url), archive)
