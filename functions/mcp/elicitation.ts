import { sayServerRequest, type RequestProblem } from '#shared/sentences/server-requests.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import * as z from 'zod'
import type { Elicitation, ElicitationField } from '#shared/contracts/elicitation.ts'
import { findFieldProblem } from '#shared/elicitation.ts'
import { cleanText, plainLine } from '../platform/untrusted-text.ts'
import { AddressForbidden } from '../platform/net/outbound-http.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { isRecord } from './is-record.ts'
import { isSecretField } from './secret-fields.ts'

const limits = {
  requests: 5,
  fields: 20,
  options: 200,
  nameCharacters: 100,
  optionCharacters: 500,
  messageCharacters: 2_000,
  labelCharacters: 200,
  descriptionCharacters: 500,
  /** stored with the waiting run, and sent back byte for byte */
  stateBytes: 64 * 1024,
  urlCharacters: 2_000,
}

/** Why a request of a server is not shown to the user. */
class NotShown extends Error {
  readonly problem: RequestProblem

  constructor(problem: RequestProblem) {
    super(problem.text)
    this.problem = problem
  }
}

/** Keywords of schemas that are not flat. `pattern` is allowed and ignored: the server checks its own patterns. */
const structuralKeywords = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'not', 'if', 'properties', 'prefixItems']

const optionText = z.string().max(limits.optionCharacters)
const titledOptions = z
  .array(z.object({ const: optionText, title: optionText }))
  .min(1)
  .max(limits.options)
const options = z.array(optionText).min(1).max(limits.options)
const count = z.number().int().nonnegative().optional()
const fieldTexts = { title: z.string().optional(), description: z.string().optional() }

/** The field types of the specification (2026-07-28, `PrimitiveSchemaDefinition`). */
const fieldSchema = z.union([
  z
    .object({
      type: z.literal('string'),
      minLength: count,
      maxLength: count,
      format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
      // a choice, in each of the three forms
      enum: options.optional(),
      enumNames: z.array(optionText).optional(),
      oneOf: titledOptions.optional(),
      default: z.unknown().optional(),
      ...fieldTexts,
    })
    .refine((schema) => !schema.enum || !schema.oneOf),
  z.object({
    type: z.enum(['number', 'integer']),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.unknown().optional(),
    ...fieldTexts,
  }),
  z.object({ type: z.literal('boolean'), default: z.unknown().optional(), ...fieldTexts }),
  z.object({
    type: z.literal('array'),
    items: z.union([
      // as above, the type may be left out
      z.object({ type: z.literal('string').optional(), enum: options }),
      z.object({ anyOf: titledOptions }),
    ]),
    minItems: count,
    maxItems: count,
    default: z.unknown().optional(),
    ...fieldTexts,
  }),
])
type FieldSchema = z.infer<typeof fieldSchema>

const formParams = z.object({
  mode: z.literal('form').optional(),
  message: z.string(),
  requestedSchema: z.object({
    type: z.literal('object'),
    properties: z.record(z.string(), z.record(z.string(), z.unknown())),
    required: z.array(z.string()).optional(),
  }),
})
const urlParams = z.object({ mode: z.literal('url'), message: z.string(), url: z.string() })
const elicitRequest = z.object({
  method: z.literal('elicitation/create'),
  params: z.union([urlParams, formParams]),
})

const toOption = (value: string, label = value) => ({
  value,
  label: plainLine(label, limits.labelCharacters) || plainLine(value, limits.labelCharacters),
})

/** The properties of a field other than its texts and its default. */
function readType(
  schema: FieldSchema,
): Pick<ElicitationField, 'type' | 'format' | 'min' | 'max' | 'options'> {
  if (schema.type === 'boolean') return { type: 'boolean' }
  if (schema.type === 'array') {
    const { items, minItems: min, maxItems: max } = schema
    const list =
      'enum' in items
        ? items.enum.map((value) => toOption(value))
        : items.anyOf.map((option) => toOption(option.const, option.title))
    return {
      type: 'choices',
      options: list,
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    }
  }
  if (schema.type !== 'string') {
    const { type, minimum: min, maximum: max } = schema
    return { type, ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  }
  if (schema.enum) {
    const names = schema.enumNames ?? []
    return { type: 'choice', options: schema.enum.map((value, index) => toOption(value, names[index])) }
  }
  if (schema.oneOf)
    return { type: 'choice', options: schema.oneOf.map((option) => toOption(option.const, option.title)) }
  const { format, minLength: min, maxLength: max } = schema
  return {
    type: 'text',
    ...(format !== undefined && { format }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  }
}

/** Generators of schemas say with an alternative that is null that a field may be left empty. */
function withoutNull(property: Record<string, unknown>): Record<string, unknown> {
  const { type, anyOf, ...others } = property
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null')
    return types.length === 1 ? { ...property, type: types[0] } : property
  }
  if (!Array.isArray(anyOf)) return property
  const [alternative, ...more] = anyOf.filter((one) => !isRecord(one) || one['type'] !== 'null')
  return isRecord(alternative) && more.length === 0 && anyOf.length > 1
    ? { ...alternative, ...(type !== undefined && { type }), ...others }
    : property
}

/** Options are strings, also if a server leaves that out. */
const withTypeOfOptions = (schema: Record<string, unknown>) =>
  schema['enum'] === undefined && schema['oneOf'] === undefined ? schema : { type: 'string', ...schema }

function toField(name: string, schema: Record<string, unknown>, required: boolean): ElicitationField {
  const shownName = plainLine(name, limits.labelCharacters)
  if (name.length > limits.nameCharacters || shownName === '')
    throw new NotShown(sayServerRequest('request_not_shown.field_name'))
  const property = withTypeOfOptions(withoutNull(schema))
  const parsed = fieldSchema.safeParse(property)
  if (!parsed.success || structuralKeywords.some((keyword) => Object.hasOwn(property, keyword)))
    throw new NotShown(sayServerRequest('request_not_shown.field_type', { field: shownName }))
  const { title = '', description } = parsed.data
  const type = readType(parsed.data)
  if ((type.min ?? -Infinity) > (type.max ?? Infinity))
    throw new NotShown(sayServerRequest('request_not_shown.field_range', { field: shownName }))
  const isFreeInput = type.type === 'text' || type.type === 'number' || type.type === 'integer'
  if (isFreeInput && (isSecretField(name) || isSecretField(title)))
    throw new NotShown(sayServerRequest('request_not_shown.secret', { field: shownName }))
  const cleanedDescription =
    description === undefined ? '' : cleanText(description, limits.descriptionCharacters)
  const field: ElicitationField = {
    name,
    label: plainLine(title, limits.labelCharacters) || shownName,
    ...(cleanedDescription !== '' && { description: cleanedDescription }),
    required,
    ...type,
  }
  const value = parsed.data.default as ElicitationField['default']
  const isUsable = value !== undefined && findFieldProblem(field, value) === undefined
  return isUsable ? { ...field, default: value } : field
}

function toUrl(url: string, checkAddress: (address: string) => void): { url: string; host: string } {
  const parsed = url.length <= limits.urlCharacters ? URL.parse(url) : null
  if (!parsed) throw new NotShown(sayServerRequest('request_not_shown.address'))
  try {
    checkAddress(parsed.href)
  } catch (error) {
    if (!(error instanceof AddressForbidden)) throw error
    throw new NotShown(sayServerRequest('request_not_shown.private_address'))
  }
  // `host` of a parsed address is in its ASCII form: no look-alike characters
  return { url: parsed.href, host: parsed.host }
}

function toElicitation(key: string, request: unknown, checkAddress: (address: string) => void): Elicitation {
  const parsed = elicitRequest.safeParse(request)
  if (!parsed.success) throw new NotShown(sayServerRequest('request_not_shown.kind'))
  const { params } = parsed.data
  const message = cleanText(params.message, limits.messageCharacters)
  if ('url' in params) return { mode: 'url', key, message, ...toUrl(params.url, checkAddress) }
  const { properties, required = [] } = params.requestedSchema
  const entries = Object.entries(properties)
  if (entries.length > limits.fields)
    throw new NotShown(sayServerRequest('request_not_shown.fields', { max: limits.fields }))
  const fields = entries.map(([name, schema]) => toField(name, schema, required.includes(name)))
  return { mode: 'form', key, message, fields }
}

/**
 * Reads what a server asks the user for. All of it is untrusted: texts are cleaned, and a request that is not among the forms of the
 * specification, asks for a secret or leads to a forbidden address ends the call.
 * @param checkAddress throws AddressForbidden for an address that may not be opened
 * @throws ProviderError with a sentence for the model
 */
export function parseInputRequests(
  serverName: string,
  { inputRequests = {}, requestState }: { inputRequests?: object; requestState?: string | undefined },
  checkAddress: (address: string) => void,
): { requests: Elicitation[]; requestState?: string } {
  try {
    const entries = Object.entries(inputRequests)
    if (entries.length > limits.requests) throw new NotShown(sayServerRequest('request_not_shown.too_many'))
    if (entries.some(([key]) => key.length > limits.nameCharacters || key === '__proto__'))
      throw new NotShown(sayServerRequest('request_not_shown.name'))
    if (requestState !== undefined && Buffer.byteLength(requestState) > limits.stateBytes)
      throw new NotShown(sayServerRequest('request_not_shown.state'))
    return {
      requests: entries.map(([key, request]) => toElicitation(key, request, checkAddress)),
      ...(requestState !== undefined && { requestState }),
    }
  } catch (error) {
    if (!(error instanceof NotShown)) throw error
    throw new ProviderError(
      sayTool('server_asked', { name: serverName, problem: error.problem }),
      undefined,
      { cause: error },
    )
  }
}
