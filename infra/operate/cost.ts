import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { runCommand } from './command.ts'
import { formatBill, formatBillAsMarkdown } from './cost/bill-text.ts'
import { formatBounds, listBounds } from './cost/bounds.ts'
import { defaultWaf } from './cost/savings.ts'
import { parseUsage, usageOptions } from './cost/usage.ts'
import { loadContext, openStage } from './stage.ts'

/** `npm run cost`: `--markdown` writes the table of its defaults into docs/operations.md. */
const docsPage = fileURLToPath(new URL('../../docs/operations.md', import.meta.url))

await runCommand('cost', { options: usageOptions }, async ({ values }) => {
  const { config } = openStage(values.context)
  const usage = parseUsage(values, config.users)
  // loading the CDK takes most of a second: errors in options or context are reported before
  const { countResources } = await import('./cost/deployed-resources.ts')
  const configured = countResources(loadContext(values.context))
  const deployed = values.waf && configured.webAcls === 0 ? { ...configured, ...defaultWaf } : configured
  if (values.markdown) {
    const { formatScaleAsMarkdown } = await import('./cost/scale.ts')
    await updateDocsPage(`${formatBillAsMarkdown(usage, deployed)}\n\n${formatScaleAsMarkdown()}`)
  } else
    process.stdout.write(`${formatBill(usage, deployed)}\n\n${formatBounds(listBounds(config, usage))}\n`)
})

async function updateDocsPage(markdown: string): Promise<void> {
  const text = await readFile(docsPage, 'utf8')
  const updated = text.replace(
    /<!-- cost -->[\s\S]*<!-- end cost -->/,
    () => `<!-- cost -->\n\n${markdown}\n\n<!-- end cost -->`,
  )
  await writeFile(docsPage, (await format(docsPage, updated)).code)
}
