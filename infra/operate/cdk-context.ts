import { readFileSync } from 'node:fs'
import { OperatorError } from '../aws/operator-error.ts'

export type Context = Readonly<Record<string, unknown>>

/**
 * Loads the context that `npx cdk` would give the app: cdk.json, overridden by `-c`.
 * @param values the values of `-c`, each `key=value`
 * @throws OperatorError for a value without a key
 */
export function loadContext(values: readonly string[]): Context {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
    context: Context
  }
  const pairs = values.map((pair) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (key === undefined) throw new OperatorError(`-c ${pair} must have the form key=value.`)
    return [key, value] as const
  })
  return { ...context, ...Object.fromEntries(pairs) }
}

/** What `readConfig` reads. */
export const contextNode = (context: Context) => ({
  tryGetContext: (key: string): unknown => context[key],
  getAllContext: () => context,
})
