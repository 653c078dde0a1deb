import { expect, it } from 'vitest'
import { format } from 'oxfmt'
import { builtInProviders } from '../functions/providers/built-in.ts'
import { toolsDocument } from './tools-table.ts'

it('CAP-01 docs/tools.md lists the tools correctly: `npm run docs:tools` writes the table', async () => {
  const { is, shouldBe } = await toolsDocument()
  expect(is).toBe((await format('docs/tools.md', shouldBe)).code)
  for (const { name } of builtInProviders)
    expect(is).toMatch(new RegExp(`^\\| ${name} +\\| .+\\(\`\\w+\`\\).* \\| (?!none: +\\|)`, 'm'))
})
