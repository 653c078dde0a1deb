import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { OperatorError } from './operator-error.ts'

/** Values of context keys. */
export type Context = Readonly<Record<string, unknown>>

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The folder with a file of settings for each stage. */
export const stagesFolder = join(root, 'stages')

/** Where the settings of a stage may be stored: a JSON object of what `-c` takes. */
export const stageFile = (stage: string, folder = stagesFolder): string => join(folder, `${stage}.json`)

/** The format of names of stages. */
export const stageName = /^[a-z][a-z0-9-]{0,14}[a-z0-9]$/
export const defaultStage = 'dev'

/** The context of cdk.json. */
export const readCdkContext = (): Context =>
  (JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as { context: Context }).context

/**
 * The context of a deployment: cdk.json, overridden by the file of the stage, overridden by `-c`. An empty value of `-c` takes a setting of the
 * file back.
 * @param given the values of `-c`
 * @throws OperatorError when the file is not a JSON object, or of another stage
 */
export function mergeContext(given: Context, folder = stagesFolder): Context {
  const context = readCdkContext()
  const stage = [given['stage'], context['stage']].find((value) => value !== undefined && value !== '')
  return { ...context, ...readStageFile(stage ?? defaultStage, folder), ...given }
}

/** @returns the settings of the file; none when there is no file */
function readStageFile(stage: unknown, folder: string): Context {
  // another name is refused with the rest of the context, and names no file
  if (typeof stage !== 'string' || !stageName.test(stage)) return {}
  const path = stageFile(stage, folder)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const settings = parseObject(text, path)
  const named = settings['stage'] ?? stage
  if (named !== stage)
    throw new OperatorError(`${path} is of another stage: it sets stage to ${JSON.stringify(named)}.`)
  return { ...settings, stage }
}

function parseObject(text: string, path: string): Context {
  let value: unknown
  try {
    // editors on Windows write a byte order mark
    value = JSON.parse(text.replace(/^\u{feff}/u, ''))
  } catch (error) {
    throw new OperatorError(`${path} is not JSON: ${(error as Error).message}`, { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OperatorError(`${path} must be a JSON object, such as {"users": 30, "signUp": "example.org"}.`)
  return value as Context
}

/**
 * The values that `-c` gave to an app of the CDK, which mixes them with the context of cdk.json.
 * @param all the app's context
 */
export function listGivenContext(all: Context, ofFile = readCdkContext()): Context {
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => !isDeepStrictEqual(value, ofFile[key])),
  )
}
