import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { format } from 'oxfmt'
import { formatBillAsMarkdown, formatBill } from './bill/bill-text.ts'
import { readConfig } from '../aws/config.ts'
import { contextNode, loadContext } from './cdk-context.ts'
import { parseUsage, usageOptions } from './bill/usage.ts'
import { defaultWaf } from './bill/savings.ts'
import { reportUsageError } from './cli-error.ts'

/**
 * `npm run cost -- --users 20 --turns 10000`: the monthly bill, from what was measured and the price list, for the stacks as they are
 * configured (`-c key=value` as for `npx cdk`). `--markdown` writes the table of its defaults into docs/operations.md.
 */
const page = fileURLToPath(new URL('../../docs/operations.md', import.meta.url))

try {
  const { values } = parseArgs({ options: usageOptions })
  const usage = parseUsage(values)
  const context = loadContext(values.context ?? [])
  readConfig(contextNode(context))
  // loading the CDK takes most of a second: errors in options or context are reported before
  const { countResources } = await import('./bill/deployed-resources.ts')
  const counted = countResources(context)
  const standing = values.waf && counted.webAcls === 0 ? { ...counted, ...defaultWaf } : counted
  if (values.markdown) await writePage(formatBillAsMarkdown(usage, standing))
  else process.stdout.write(`${formatBill(usage, standing)}\n`)
} catch (error) {
  reportUsageError(error)
}

async function writePage(markdown: string): Promise<void> {
  const text = await readFile(page, 'utf8')
  const next = text.replace(
    /<!-- cost -->[\s\S]*<!-- end cost -->/,
    () => `<!-- cost -->\n\n${markdown}\n\n<!-- end cost -->`,
  )
  await writeFile(page, (await format(page, next)).code)
}
