import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInProviders } from '../functions/providers/built-in.ts'
import { listCapabilities } from '../functions/capabilities/catalogue.ts'
import { contracts } from './support/provider-contracts/index.ts'

/** Why a provider has no tool that writes. */
const whyNoToolWrites: Readonly<Record<string, string>> = {
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
    return `| ${name} | ${names(false)} | ${names(true) || `none: ${whyNoToolWrites[id] ?? ''}`} |`
  })
  return ['| Provider | Reads at once | Asks first |', '| :-- | :-- | :-- |', ...rows].join('\n')
}

/** What the tools of each provider were checked against, as a table in Markdown. */
function sourcesTable(): string {
  const rows = builtInProviders.flatMap(({ id, name }) => {
    const contract = contracts[id]
    if (!contract) return []
    const { sources, operations, unverified = [] } = contract
    const list = sources.map((one) => `[${one.name}](${one.url}) ${one.version}, ${one.checkedOn}`).join('; ')
    const calls = Object.keys(operations).map((call) => `\`${call.trim()}\``)
    return [`| ${name} | ${calls.join(', ')} | ${list} | ${unverified.join('; ')} |`]
  })
  return [
    '| Provider | Operations | Checked against, on | Not verified without an account |',
    '| :-- | :-- | :-- | :-- |',
    ...rows,
  ].join('\n')
}

/** The versions of the providers' APIs as a table in Markdown. */
function versionsTable(): string {
  const rows = builtInProviders.flatMap(({ id, name }) => {
    const api = contracts[id]?.api
    return api
      ? [`| ${name} | ${api.version} | ${api.supportedUntil ?? 'no end announced'} | <${api.source}> |`]
      : []
  })
  return [
    '| Provider | Version | Supported until | Published at |',
    '| :-- | :-- | :-- | :-- |',
    ...rows,
  ].join('\n')
}

const tables = { tools: toolsTable, contracts: sourcesTable, versions: versionsTable }

const file = join(import.meta.dirname, '../docs/tools.md')
/** docs/tools.md as written, and as generated from the catalogue. */
export async function toolsDocument(): Promise<{ written: string; generated: string }> {
  const written = await readFile(file, 'utf8')
  let generated = written
  for (const [name, format] of Object.entries(tables)) {
    const marks = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=<!-- end of ${name} -->)`)
    generated = generated.replace(marks, () => `\n${format()}\n\n`)
  }
  return { written, generated }
}

if (import.meta.main) await writeFile(file, (await toolsDocument()).generated)
