import { isRecord } from '../fields.ts'
import {
  cleanKeywords,
  mergeSchemas,
  resolveReference,
  sayBounds,
  toTypes,
  withNote,
  withoutOtherTypes,
  type Schema,
} from './schema-keywords.ts'

export type Restore = (value: unknown) => unknown

/** A schema as it is sent. */
export interface SentSchema {
  schema: Schema
  /** turns arguments that fit it into those of the tool's own schema; undefined if they are the same */
  restore: Restore | undefined
}

interface Sent extends SentSchema {
  /** its own schema also takes null, which is not sent: servers disagree on how to write that */
  isNullable: boolean
}

interface Context {
  root: Schema
  /** references that are being resolved: one within itself is cut */
  open: readonly string[]
  /** of what references may still add: each copies what it names */
  left: { characters: number }
  /** with nothing but types, descriptions, properties, items and words to choose from */
  isSimple: boolean
}

const maxCopiedCharacters = 60_000
/** Anthropic: https://github.com/anthropics/claude-code/issues/34771 */
const legalKey = /^[a-zA-Z0-9_.-]{1,64}$/

/** Names of properties as every server takes them, by their own; no two are the same. */
function toSentKeys(keys: readonly string[]): Map<string, string> {
  const taken = new Set(keys.filter((key) => legalKey.test(key)))
  return new Map(
    keys.map((key) => {
      if (taken.has(key)) return [key, key]
      const plain = key.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, 60) || 'value'
      let sent = plain
      for (let count = 2; taken.has(sent); count += 1) sent = `${plain}_${count}`
      taken.add(sent)
      return [key, sent]
    }),
  )
}

/** The schema with what it refers to in the place of the reference. */
function withoutReference(schema: Schema, context: Context): [Schema, Context] {
  const { $ref: ref, ...own } = schema
  if (typeof ref !== 'string') return [own, context]
  const target = resolveReference(context.root, ref)
  if (!isRecord(target)) return [own, context]
  if (!context.open.includes(ref)) context.left.characters -= JSON.stringify(target).length
  if (context.open.includes(ref) || context.left.characters < 0)
    return [{ type: toTypes(target)[0] ?? 'object', ...own }, context]
  return withoutReference({ ...target, ...own }, { ...context, open: [...context.open, ref] })
}

/** The words to choose from. Gemini takes no other values (https://github.com/microsoft/azure-devops-mcp/issues/139): those are described. */
function sendChoice(schema: Schema, values: readonly unknown[], isSimple: boolean): Schema {
  const { enum: _, ...rest } = schema
  if (values.every((value) => typeof value === 'string'))
    return {
      ...withoutOtherTypes(rest, 'string'),
      type: 'string',
      enum: isSimple ? values.filter((value) => value !== '') : values,
    }
  const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)))
  const [type] = types
  const isKnown = types.size === 1 && type !== undefined && /^(integer|number|boolean)$/.test(type)
  const described = withNote(rest, `One of: ${values.map((value) => JSON.stringify(value)).join(', ')}.`)
  return isKnown ? { ...withoutOtherTypes(described, type), type } : described
}

function sendProperties(schema: Schema, context: Context): SentSchema {
  const { properties: own, required: demanded, ...rest } = schema
  const properties = isRecord(own) ? own : {}
  const keys = toSentKeys(Object.keys(properties))
  const required = new Set(Array.isArray(demanded) ? demanded : [])
  const sent: Record<string, Schema> = {}
  const restores = new Map<string, Restore>()
  const nullKeys: string[] = []
  for (const [key, value] of Object.entries(properties)) {
    const name = keys.get(key) ?? key
    // drafts before 4 say so in the property itself
    if (isRecord(value) && value['required'] === true) required.add(key)
    const one = send(value, context)
    if (!one) continue
    sent[name] = name === key ? one.schema : withNote(one.schema, `“${key}”`)
    if (one.restore) restores.set(key, one.restore)
    // left out by the model, it is null
    if (one.isNullable && required.delete(key)) nullKeys.push(key)
  }
  const names = [...required].flatMap((key) =>
    typeof key === 'string' && key in properties ? (keys.get(key) ?? []) : [],
  )
  const back = new Map([...keys].map(([key, name]) => [name, key]))
  const isSame =
    restores.size === 0 && nullKeys.length === 0 && [...back].every(([name, key]) => name === key)
  return {
    schema: {
      ...rest,
      properties: sent,
      ...(names.length > 0 && { required: names }),
    },
    restore: isSame
      ? undefined
      : (value) => {
          if (!isRecord(value)) return value
          const restored = Object.entries(value).map(([name, each]): [string, unknown] => {
            const key = back.get(name) ?? name
            return [key, restores.get(key)?.(each) ?? each]
          })
          const missing = nullKeys.filter((key) => !restored.some(([name]) => name === key))
          return Object.fromEntries([...restored, ...missing.map((key) => [key, null])])
        },
  }
}

function sendObject(schema: Schema, context: Context): SentSchema {
  const { additionalProperties: more, ...rest } = schema
  const own = {
    ...rest,
    ...(more !== undefined && {
      additionalProperties: isRecord(more) ? (send(more, context)?.schema ?? true) : more,
    }),
  }
  return isRecord(rest['properties']) ? sendProperties(own, context) : { schema: own, restore: undefined }
}

function sendItems(schema: Schema, context: Context): SentSchema {
  const { prefixItems, items, ...rest } = schema
  const tuple = [prefixItems, items].find(Array.isArray) as unknown[] | undefined
  const one = send(tuple ? { anyOf: tuple } : (items ?? true), context)
  const { restore } = one ?? {}
  return {
    schema: { ...rest, items: one?.schema ?? {} },
    restore: restore && ((value) => (Array.isArray(value) ? value.map(restore) : value)),
  }
}

/** Alternatives, each with all that stands beside them: Moonshot takes nothing there (https://github.com/MoonshotAI/kimi-code/issues/2661). */
function sendAlternatives(schema: Schema, branches: readonly unknown[], context: Context): Sent {
  const { description, title, default: initial, anyOf: _, ...beside } = schema
  const texts = {
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    ...(initial !== undefined && { default: initial }),
  }
  const all = branches.map((branch) => {
    const [resolved, within] = withoutReference(isRecord(branch) ? branch : {}, context)
    return send(mergeSchemas(beside, resolved), within)
  })
  const sent = all.filter((one) => one !== undefined)
  const known = new Map(sent.map((one) => [JSON.stringify(one.schema), one]))
  const isNullable = sent.length < all.length || sent.some((one) => one.isNullable)
  const different = [...known.values()]
  const [first] = different
  if (different.length < 2 || context.isSimple)
    return { schema: { ...first?.schema, ...texts }, restore: first?.restore, isNullable }
  const fits = ({ schema: { properties } }: Sent, value: unknown) =>
    !isRecord(value) || Object.keys(value).every((name) => isRecord(properties) && name in properties)
  return {
    schema: { ...texts, anyOf: different.map((one) => one.schema) },
    restore: different.some(({ restore }) => restore)
      ? (value) => different.find((one) => one.restore && fits(one, value))?.restore?.(value) ?? value
      : undefined,
    isNullable,
  }
}

/** @returns undefined for what only null, or nothing, fits */
function send(value: unknown, from: Context): Sent | undefined {
  if (value === false) return undefined
  const [resolved, context] = withoutReference(isRecord(value) ? value : {}, from)
  const { allOf, ...own } = resolved
  const whole = (Array.isArray(allOf) ? allOf : []).reduce<Schema>((merged, one) => {
    const [branch] = withoutReference(isRecord(one) ? one : {}, context)
    return mergeSchemas(merged, branch)
  }, own)
  const schema = cleanKeywords(whole, context.isSimple)
  const { enum: values } = schema
  const types = toTypes(whole)
  let isNullable =
    types.includes('null') || whole['nullable'] === true || (Array.isArray(values) && values.includes(null))
  const named = types.filter((type) => type !== 'null')
  if (types.length > 0 && named.length === 0) return undefined
  const choices = Array.isArray(values) ? values.filter((one) => one !== null) : []
  if (choices.length > 0)
    return { schema: sendChoice(schema, choices, context.isSimple), restore: undefined, isNullable }
  const { enum: _, ...rest } = schema
  const branches = [rest['anyOf'], whole['oneOf']].flatMap((list): unknown[] =>
    Array.isArray(list) ? list : [],
  )
  if (branches.length > 0) {
    const sent = sendAlternatives(named.length === 1 ? { ...rest, type: named[0] } : rest, branches, context)
    return { ...sent, isNullable: isNullable || sent.isNullable }
  }
  if (named.length > 1)
    return {
      ...sendAlternatives(
        rest,
        named.map((type) => ({ type })),
        context,
      ),
      isNullable,
    }
  const type =
    named[0] ??
    ('properties' in rest ? 'object' : 'items' in rest || 'prefixItems' in rest ? 'array' : undefined)
  const narrowed = type === undefined ? rest : { ...withoutOtherTypes(rest, type), type }
  if (type === 'array') return { ...sendItems(narrowed, context), isNullable }
  if (type === 'object') return { ...sendObject(narrowed, context), isNullable }
  const { type: _type, ...untyped } = rest
  if (type === undefined)
    return {
      schema: context.isSimple ? { ...untyped, type: 'string' } : untyped,
      restore: undefined,
      isNullable,
    }
  return { schema: narrowed, restore: undefined, isNullable }
}

/**
 * A tool's parameters in the part of JSON Schema that all providers take, with the same meaning as far as it can be said in it; the product
 * checks arguments against the whole schema. References, alternatives at the top, old drafts and odd types are written in another way,
 * bounds in words.
 * @param isSimple for a server that has refused even that: with types, descriptions and properties alone
 */
export function toSentSchema(parameters: Schema, isSimple = false): SentSchema {
  const context: Context = { root: parameters, open: [], left: { characters: maxCopiedCharacters }, isSimple }
  const [resolved, within] = withoutReference(parameters, context)
  const { anyOf, oneOf, allOf, type: _, required, ...own } = resolved
  const branches = [anyOf, oneOf, allOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  const properties = branches.reduce<Schema>(
    (merged, branch) => {
      const [one] = withoutReference(isRecord(branch) ? branch : {}, within)
      return { ...(isRecord(one['properties']) && one['properties']), ...merged }
    },
    isRecord(own['properties']) ? own['properties'] : {},
  )
  const schema = cleanKeywords({ ...own, type: 'object' }, isSimple)
  const { enum: __, ...rest } = schema
  const sent = sendObject({ ...rest, properties, ...(required !== undefined && { required }) }, within)
  return { ...sent, schema: sayBounds(sent.schema) }
}
