import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a program of Node's with these arguments in this terminal. @returns its exit code */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = repository,
): Promise<number> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
