import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { deployProduct, type Deployer } from './deployment/deploy-product.ts'
import { reportUsageError } from './cli-error.ts'
import { readArguments } from './arguments.ts'

/**
 * `npm run deploy -- -c key=value`: the doctor, the deployment, the remaining steps, and a test of the product. `--yes` skips all
 * questions.
 */
const repository = fileURLToPath(new URL('../..', import.meta.url))

const run: Deployer['run'] = async (args, env) => {
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

try {
  const { values } = readArguments('deploy', {
    options: {
      context: { type: 'string', short: 'c', multiple: true, default: [] },
      yes: { type: 'boolean', short: 'y', default: false },
    },
  })
  process.exitCode = await deployProduct(values.context, {
    yes: values.yes,
    print: (text) => process.stdout.write(text),
    ask: process.stdin.isTTY ? ask : undefined,
    run,
  })
} catch (error) {
  reportUsageError(error)
}
