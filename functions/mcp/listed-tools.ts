import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayToolList, type ToolProblem } from '#shared/sentences/tool-lists.ts'
import { cleanText, plainLine } from '../platform/untrusted-text.ts'
import { readAppMetadata } from './app-metadata.ts'
import { fingerprintServerTool, type listTools, type ServerTool } from './list-tools.ts'
import { findHeaderProblem } from './parameter-headers.ts'
import { checkSchemas, cleanSchema, SchemaUnusable } from './schema.ts'
import type { StoredTool, ToolList } from './tool-list-repository.ts'

/**
 * A list younger than this is not fetched again. A server may ask for a longer time (SEP-2549), up to an hour. A shorter one, such as the
 * 0 that SDKs send by default, would delay every reply.
 */
export const freshMs = 60_000
const maxFreshMs = 3_600_000
/** Of all definitions of a server together: functions hold the lists of many users in memory. */
const maxCharacters = 1_000_000
/** Of all schemas of results: a tool whose schema is left out is offered, and its results are not checked. */
const maxOutputCharacters = 200_000
const maxDescription = 2_000
/** Of what a server says about all of its tools. */
const maxInstructions = 2_000

/** @throws SchemaUnusable */
function toListedTool(url: string, tool: ServerTool, legacy: boolean): StoredTool {
  const { name, title, description, inputSchema, annotations, _meta } = tool
  const schema = cleanSchema(inputSchema)
  const headerProblem = legacy ? undefined : findHeaderProblem(schema)
  if (headerProblem !== undefined) throw new SchemaUnusable(headerProblem)
  return {
    name,
    title: plainLine(title ?? annotations?.title ?? name, 100) || name.slice(0, 100),
    description: cleanText(description, maxDescription),
    schema,
    destructive: annotations?.destructiveHint === true,
    fingerprint: fingerprintServerTool(url, tool.definition),
    ...readAppMetadata(_meta?.ui),
  }
}

/** The schemas of the results of tools, as far as they can be checked within the limits. */
function listOutputSchemas(tools: readonly ServerTool[]): Map<string, StoredTool['outputSchema']> {
  let left = maxOutputCharacters
  const cleaned = tools.flatMap(({ name, outputSchema }) => {
    if (!outputSchema) return []
    try {
      const schema = cleanSchema(outputSchema)
      left -= JSON.stringify(schema).length
      return left < 0 ? [] : [{ name, schema }]
    } catch {
      // too large, or nested too deeply
      return []
    }
  })
  const areValid = checkSchemas(cleaned.map(({ schema }) => schema))
  return new Map(cleaned.flatMap(({ name, schema }, index) => (areValid[index] ? [[name, schema]] : [])))
}

/** @throws the error, if it is not one of the tool's definition */
function toProblem(error: unknown): ToolProblem {
  if (error instanceof SchemaUnusable) return error.problem
  // the engine cannot write what is nested too deeply
  if (error instanceof RangeError) return 'depth'
  throw error
}

const describeTool = (name: string) => ({ tool: plainLine(name, 60) })

/** @returns the tools that can be offered, and why others are left out */
function cleanTools(
  url: string,
  { tools, more, isRepeated, unreadable }: Awaited<ReturnType<typeof listTools>>,
  legacy: boolean,
) {
  const entries: StoredTool[] = []
  const cut = isRepeated ? 'tools_cut.repeated' : 'tools_cut.number'
  const leftOut: Sentence[] = more ? [sayToolList(cut, { max: tools.length })] : []
  for (const name of unreadable)
    leftOut.push(
      name === undefined
        ? sayToolList('tool_unusable.no_name')
        : sayToolList('tool_unusable.description', describeTool(name)),
    )
  let characters = 0
  for (const tool of tools)
    try {
      const entry = toListedTool(url, tool, legacy)
      characters += JSON.stringify(entry).length
      if (characters > maxCharacters) {
        leftOut.push(sayToolList('tools_cut.size', describeTool(tool.name)))
        break
      }
      entries.push(entry)
    } catch (error) {
      leftOut.push(sayToolList(`tool_unusable.${toProblem(error)}`, describeTool(tool.name)))
    }
  const areValid = checkSchemas(entries.map(({ schema }) => schema))
  for (const { name } of entries.filter((_, index) => !areValid[index]))
    leftOut.push(sayToolList('tool_unusable.unchecked', describeTool(name)))
  const outputs = listOutputSchemas(tools)
  const offered = entries.filter((_, index) => areValid[index])
  const withOutputs = offered.map((each) => {
    const outputSchema = outputs.get(each.name)
    return outputSchema ? { ...each, outputSchema } : each
  })
  return { entries: withOutputs, leftOut }
}

/** A list that was just fetched, as it is stored. @param connection how it was fetched, and what the server said when it was opened */
export function toToolList(
  url: string,
  listed: Awaited<ReturnType<typeof listTools>>,
  { legacy, instructions: said }: { legacy: boolean; instructions?: string | undefined },
): Omit<ToolList, 'version'> {
  const { ttlMs } = listed
  const instructions = typeof said === 'string' ? cleanText(said, maxInstructions).trim() : ''
  return {
    listedAtMs: Date.now(),
    ...(ttlMs !== undefined && { freshMs: Math.min(Math.max(ttlMs, freshMs), maxFreshMs) }),
    legacy,
    ...(instructions !== '' && { instructions }),
    ...cleanTools(url, listed, legacy),
  }
}
