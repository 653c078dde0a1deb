import { createInterface } from 'node:readline/promises'
import { contextOption, runCommand, runNode } from './command.ts'
import { deployProduct } from './deployment/deploy-product.ts'
import { rollBack } from './deployment/roll-back.ts'

const options = {
  ...contextOption,
  yes: { type: 'boolean', short: 'y', default: false },
  'dry-run': { type: 'boolean', default: false },
  back: { type: 'boolean', default: false },
} as const

await runCommand('deploy', { options }, ({ values: { context, yes, 'dry-run': dryRun, back } }) =>
  (back ? rollBack : deployProduct)(context, {
    yes,
    dryRun,
    print: (text) => process.stdout.write(text),
    ...(process.stdin.isTTY ? { ask, askText } : { ask: undefined }),
    run: runNode,
  }),
)

const ask = async (question: string) => /^y(es)?$/i.test((await askText(`${question} [y/N] `)).trim())

async function askText(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
