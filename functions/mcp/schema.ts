import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
import { createContext, Script } from 'node:vm'
import { toNearestNumbers } from '../platform/exact-json.ts'
import { sayInvalidInput } from '../platform/invalid-input.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { repairReferences } from './repair-references.ts'
import { relaxArguments, resolveReference } from './relaxed-arguments.ts'
import { cleanText } from '../platform/untrusted-text.ts'
import type { ToolProblem } from '#shared/sentences/tool-lists.ts'

type Schema = Readonly<Record<string, unknown>>

/** Larger schemas are of no use to a model and could make validation endless. */
const limits = { characters: 40_000, depth: 24, nodes: 4_000 }
/** Untrusted patterns and references could make validation endless. */
const callCheckMs = 1_000
const listCheckMs = 1_000
const singleCheckMs = 200
const maxAttempts = 5
const maxDescription = 500

/** Why a tool of a server is not offered. */
export class SchemaUnusable extends Error {
  readonly problem: ToolProblem

  constructor(problem: ToolProblem) {
    super(problem)
    this.problem = problem
  }
}

/** A copy with clean texts. @throws SchemaUnusable */
function copyClean(value: unknown, count: { nodes: number }, depth = 0): unknown {
  count.nodes += 1
  if (count.nodes > limits.nodes || depth > limits.depth) throw new SchemaUnusable('many')
  if (Array.isArray(value)) return value.map((each) => copyClean(each, count, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      (name === 'description' || name === 'title' || name === '$comment') && typeof each === 'string'
        ? cleanText(each, maxDescription)
        : copyClean(each, count, depth + 1),
    ]),
  )
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Models accept only an object at the top level: alternatives are merged into one object for the model and validated as they are. */
function toModelSchema(schema: Schema): Schema {
  const { $ref, oneOf, anyOf, allOf, not, enum: values, if: condition, then: yes, else: no, ...rest } = schema
  const branches = [
    resolveReference(schema, $ref),
    ...[oneOf, anyOf, allOf].flatMap((list) => (Array.isArray(list) ? list : [])),
  ]
    .map((branch) =>
      isObject(branch) && branch['$ref'] !== undefined ? resolveReference(schema, branch['$ref']) : branch,
    )
    .filter(isObject)
  if (branches.length === 0 && not === undefined && values === undefined && condition === undefined)
    return { ...rest, type: 'object' }
  const properties = Object.assign(
    {},
    ...[...branches, yes, no, rest].map((one) => (isObject(one) ? (one['properties'] ?? {}) : {})),
  ) as Schema
  return { ...rest, type: 'object', properties }
}

const validator = new CfWorkerJsonSchemaValidator()

/** @returns what is wrong with a value */
function findProblem(schema: Schema, value: unknown): string | undefined {
  // without an id, which could be another address, references resolve within the schema
  const { $id: _, id: __, ...local } = schema
  return validator.getValidator(local)(value).errorMessage
}

/** Sanitizes the untrusted schema of a server's tool, and repairs its references. @throws SchemaUnusable if it exceeds the limits */
export function cleanSchema(inputSchema: Schema): Schema {
  const schema = copyClean(inputSchema, { nodes: 0 }) as Record<string, unknown>
  if (JSON.stringify(schema).length > limits.characters) throw new SchemaUnusable('large')
  repairReferences(schema)
  return schema
}

/** Checks for each schema that validation works: references resolve, and it ends in time. */
export function checkSchemas(schemas: readonly Schema[]): boolean[] {
  const canValidate = (some: readonly Schema[], timeoutMs: number) => {
    try {
      runWithTimeout(() => some.forEach((schema) => findProblem(schema, {})), timeoutMs)
      return true
    } catch {
      // it would also fail during a call
      return false
    }
  }
  // all at once, which is cheap; one by one only if that fails, with a time limit
  if (canValidate(schemas, listCheckMs)) return schemas.map(() => true)
  const endsAtMs = performance.now() + listCheckMs
  return schemas.map((schema) => performance.now() < endsAtMs && canValidate([schema], singleCheckMs))
}

/** Parameters with a sanitized schema. Validation interprets the schema, with a timeout. */
export const buildParameters = (schema: Schema) => ({
  schema: toModelSchema(schema),
  check(value: Record<string, unknown>): { input: Record<string, unknown> } | { problem: Sentence } {
    const find = (input: Record<string, unknown>) => {
      try {
        const checked = toNearestNumbers(input)
        return runWithTimeout(() => findProblem(schema, checked), callCheckMs)
      } catch {
        return 'they cannot be checked'
      }
    }
    const problem = find(value)
    if (problem === undefined) return { input: value }
    const relaxed = relaxArguments(schema, value) as Record<string, unknown>
    return find(relaxed) === undefined
      ? { input: relaxed }
      : { problem: sayInvalidInput('schema', cleanText(problem, 500)) }
  },
})

/**
 * Checks the structured content of a result.
 * @param schema the sanitized one of its tool
 * @returns what does not match; undefined also if it cannot be checked in time
 */
export function findOutputProblem(schema: Schema, value: unknown): string | undefined {
  try {
    const checked = toNearestNumbers(value)
    const problem = runWithTimeout(() => findProblem(schema, checked), singleCheckMs)
    return problem === undefined ? undefined : cleanText(problem, 300)
  } catch {
    return undefined
  }
}

const sandbox = createContext({ work: undefined })
const script = new Script('work()')

/**
 * Runs synchronous work that untrusted input may make endless, with a timeout. The timeout is wall-clock time: work that ran into it while
 * the machine gave the process less than half of a processor is repeated.
 * @param work may run several times
 * @throws Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT, or what the work throws
 */
export function runWithTimeout<T>(work: () => T, timeoutMs: number): T {
  sandbox['work'] = work
  try {
    for (let attempt = 1; ; attempt += 1) {
      const usageAtStart = process.cpuUsage()
      try {
        return script.runInContext(sandbox, { timeout: timeoutMs }) as T
      } catch (error) {
        const { user, system } = process.cpuUsage(usageAtStart)
        const wasPaused = (user + system) / 1_000 < timeoutMs / 2
        if (attempt === maxAttempts || !wasPaused || !isTimeout(error)) throw error
      }
    }
  } finally {
    sandbox['work'] = undefined
  }
}

/** The error belongs to the realm of the context, so it is no instance of this realm's `Error`. */
const isTimeout = (error: unknown) =>
  (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
