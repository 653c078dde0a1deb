import { readFileSync } from 'node:fs'
import { SetupError } from '../aws/setup-error.ts'

export type Context = Readonly<Record<string, unknown>>

/**
 * The context that `npx cdk` would give the app: that of cdk.json, and over it what was typed.
 * @param typed the values of `-c`, each `key=value`
 * @throws SetupError for a value without a key
 */
export function loadContext(typed: readonly string[]): Context {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
    context: Context
  }
  const pairs = typed.map((pair) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (key === undefined) throw new SetupError(`-c ${pair} is not of the form key=value.`)
    return [key, value] as const
  })
  return { ...context, ...Object.fromEntries(pairs) }
}

/** What `readConfig` reads. */
export const contextNode = (context: Context) => ({
  tryGetContext: (key: string): unknown => context[key],
  getAllContext: () => context,
})
