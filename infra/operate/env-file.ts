import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

/** Settings of the product on this computer. Variables of the shell win over it; tests do without it. */
export const envFile = fileURLToPath(new URL('../../.env', import.meta.url))

/** @returns its text, empty when there is no file */
export function readOptionalFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** A variable of the shell, else of the file. */
export const findVariable = (name: string): string | undefined =>
  process.env[name] || parseEnv(readOptionalFile(envFile))[name]
