import { createInterface } from 'node:readline/promises'
import { contextOption, runCommand, runNode } from './command.ts'
import { deployProduct } from './deployment/deploy-product.ts'

const options = { ...contextOption, yes: { type: 'boolean', short: 'y', default: false } } as const

await runCommand('deploy', { options }, ({ values: { context, yes } }) =>
  deployProduct(context, {
    yes,
    print: (text) => process.stdout.write(text),
    ask: process.stdin.isTTY ? ask : undefined,
    run: runNode,
  }),
)

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
