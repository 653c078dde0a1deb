import { expect, it } from 'vitest'
import { format } from 'oxfmt'
import { builtInProviders } from '../functions/providers/built-in.ts'
import { toolsDocument } from './tools-table.ts'

it('CAP-01 docs/tools.md lists the tools correctly: `npm run docs:tools` writes the table', async () => {
  const { written, generated } = await toolsDocument()
  expect(written).toBe((await format('docs/tools.md', generated)).code)
  for (const { name } of builtInProviders)
    expect(written).toMatch(new RegExp(`^\\| ${name} +\\| .+\\(\`\\w+\`\\).* \\| (?!none: +\\|)`, 'm'))
})
