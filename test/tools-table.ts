import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInProviders } from '../functions/providers/built-in.ts'
import { listCapabilities } from '../functions/providers/capabilities.ts'
import { contracts } from './support/provider-contracts/index.ts'

/** The tools of all built-in providers as a table in Markdown. */
function toolsTable(): string {
  const rows = builtInProviders.map(({ id, name }) => {
    const names = (writes: boolean) =>
      listCapabilities(id)
        .filter((one) => one.writes === writes)
        .map((one) => `${one.name} (\`${one.id}\`)`)
        .join(', ')
    return `| ${name} | ${names(false)} | ${names(true) || `none: ${contracts[id]?.readsOnly ?? ''}`} |`
  })
  return ['| Provider | Reads at once | Asks first |', '| :-- | :-- | :-- |', ...rows].join('\n')
}

const file = join(import.meta.dirname, '../docs/tools.md')
/** docs/tools.md as written, and as generated from the catalogue. */
export async function toolsDocument(): Promise<{ written: string; generated: string }> {
  const written = await readFile(file, 'utf8')
  const marks = /(?<=<!-- tools -->\n)[^]*?(?=<!-- end of tools -->)/
  const generated = written.replace(marks, () => `\n${toolsTable()}\n\n`)
  return { written, generated }
}

if (import.meta.main) await writeFile(file, (await toolsDocument()).generated)
