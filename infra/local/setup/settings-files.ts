import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { isDeepStrictEqual, parseEnv } from 'node:util'
import { readConfig } from '../../aws/config.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import { mergeContext, stageFile } from '../../aws/stage-file.ts'
import { readOptionalFile } from '../../operate/env-file.ts'
import { contextNode } from '../../operate/stage.ts'
import { projectRoot, readSettings } from '../settings.ts'

/** Settings by name, as text; undefined: none. */
export type Values = Readonly<Record<string, string | undefined>>

/** A file that a command asks the settings of. */
export interface SettingsFile {
  /** how people find it */
  readonly name: string
  readonly stored: Values
  /** @returns what the code that reads the settings says against them */
  check(values: Values): string | undefined
  /** Writes whole files only. @throws OperatorError when these values cannot be written */
  write(changes: Values): void
}

const isSet = <Value>(entry: [string, Value | undefined]): entry is [string, Value] => entry[1] !== undefined
const withoutUnset = <Value>(values: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(isSet))

/** The message of the OperatorError, or of the error of the environment, that `read` throws. */
function findProblem(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

export function openEnvFile(path: string): SettingsFile {
  const text = readOptionalFile(path)
  const stored = withoutUnset(parseEnv(text))
  return {
    name: relative(projectRoot, path),
    stored,
    check: (values) => findProblem(() => readSettings({ ...values })),
    write(changes) {
      const changed = changeLines(text, changes)
      if (!isDeepStrictEqual({ ...parseEnv(changed) }, withoutUnset({ ...stored, ...changes })))
        throw new OperatorError(
          `${path} cannot be changed by this command: write ${Object.keys(changes).join(', ')} by hand.`,
        )
      // there may be a key in it
      replaceFile(path, changed, 0o600)
    },
  }
}

/** The text of an .env with other values; all other lines stay as they are. */
function changeLines(text: string, changes: Values): string {
  const missing = new Map(Object.entries(changes).filter(isSet))
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const changed = lines.flatMap((line) => {
    const [, name = ''] = /^\s*(?:export\s+)?([A-Z][A-Z_]*)\s*=/.exec(line) ?? []
    if (!Object.hasOwn(changes, name)) return [line]
    const value = missing.get(name)
    missing.delete(name)
    return value === undefined ? [] : [`${name}=${quote(value)}`]
  })
  return [...changed, ...[...missing].map(([name, value]) => `${name}=${quote(value)}`), ''].join('\n')
}

function quote(value: string): string {
  if (/^[\w./:@,+-]*$/.test(value)) return value
  const mark = ["'", '"', '`'].find((one) => !value.includes(one)) ?? ''
  return `${mark}${value}${mark}`
}

/**
 * @param folder of the files of stages
 * @throws OperatorError when the file is there and is not one of this stage
 */
export function openStageFile(stage: string, folder: string): SettingsFile {
  const path = stageFile(stage, folder)
  const context = mergeContext({ stage }, folder)
  const text = readOptionalFile(path).replace(/^\u{feff}/u, '')
  const stored = JSON.parse(text || '{}') as Record<string, unknown>
  return {
    name: relative(projectRoot, path),
    stored: Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, toText(value)])),
    check: (values) => findProblem(() => readConfig(contextNode({ ...context, ...values }))),
    write(changes) {
      const users = changes['users'] === undefined ? {} : { users: Number(changes['users']) }
      const settings = withoutUnset({ ...stored, stage, ...changes, ...users })
      mkdirSync(dirname(path), { recursive: true })
      replaceFile(path, `${JSON.stringify(settings, null, 2)}\n`)
    },
  }
}

/** A setting as `-c` takes it. */
function toText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A file is never half written. */
function replaceFile(path: string, text: string, mode?: number): void {
  writeFileSync(`${path}.new`, text, { mode })
  renameSync(`${path}.new`, path)
}
