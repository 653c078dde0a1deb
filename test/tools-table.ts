import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInProviders } from '../functions/providers/built-in.ts'
import { listCapabilities } from '../functions/capabilities/catalogue.ts'

/** Why a provider has no tool that writes. */
const readOnly: Readonly<Record<string, string>> = {
  hubspot: 'the scopes that are asked for only read',
  discord: 'a person’s token may send no messages; only bots may',
  shopify: 'the scopes that are asked for only read',
  'microsoft-graph': 'the scopes that are asked for only read',
  confluence: 'the scopes that are asked for only read',
  figma: 'the scopes that are asked for only read',
  typeform: 'the scopes that are asked for only read',
}

/** The tools of all built-in providers as a table in Markdown. */
function toolsTable(): string {
  const rows = builtInProviders.map(({ id, name }) => {
    const names = (writes: boolean) =>
      listCapabilities(id)
        .filter((one) => one.writes === writes)
        .map((one) => `${one.name} (\`${one.id}\`)`)
        .join(', ')
    return `| ${name} | ${names(false)} | ${names(true) || `none: ${readOnly[id] ?? ''}`} |`
  })
  return ['| Provider | Reads at once | Asks first |', '| :-- | :-- | :-- |', ...rows].join('\n')
}

const file = join(import.meta.dirname, '../docs/tools.md')
const marks = /(?<=<!-- tools -->\n)[^]*?(?=<!-- end of tools -->)/

/** docs/tools.md as it is, and as the catalogue says that it has to be. */
export async function toolsDocument(): Promise<{ is: string; shouldBe: string }> {
  const is = await readFile(file, 'utf8')
  return { is, shouldBe: is.replace(marks, () => `\n${toolsTable()}\n\n`) }
}

if (import.meta.main) await writeFile(file, (await toolsDocument()).shouldBe)
