import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { formatBillAsMarkdown, formatBill } from './bill/bill-text.ts'
import { readConfig } from '../aws/config.ts'
import { contextNode, loadContext } from './cdk-context.ts'
import { parseUsage, usageOptions } from './bill/usage.ts'
import { defaultWaf } from './bill/savings.ts'
import { reportUsageError } from './cli-error.ts'
import { readArguments } from './arguments.ts'

/**
 * `npm run cost -- --users 20 --turns 10000`: the monthly bill, from what was measured and the price list, for the stacks as they are
 * configured (`-c key=value` as for `npx cdk`). `--markdown` writes the table of its defaults into docs/operations.md.
 */
const docsPage = fileURLToPath(new URL('../../docs/operations.md', import.meta.url))

try {
  const { values } = readArguments('cost', { options: usageOptions })
  const usage = parseUsage(values)
  const context = loadContext(values.context ?? [])
  readConfig(contextNode(context))
  // loading the CDK takes most of a second: errors in options or context are reported before
  const { countResources } = await import('./bill/deployed-resources.ts')
  const configured = countResources(context)
  const deployed = values.waf && configured.webAcls === 0 ? { ...configured, ...defaultWaf } : configured
  if (values.markdown) await updateDocsPage(formatBillAsMarkdown(usage, deployed))
  else process.stdout.write(`${formatBill(usage, deployed)}\n`)
} catch (error) {
  reportUsageError(error)
}

async function updateDocsPage(markdown: string): Promise<void> {
  const text = await readFile(docsPage, 'utf8')
  const updated = text.replace(
    /<!-- cost -->[\s\S]*<!-- end cost -->/,
    () => `<!-- cost -->\n\n${markdown}\n\n<!-- end cost -->`,
  )
  await writeFile(docsPage, (await format(docsPage, updated)).code)
}
