import * as z from 'zod'

/** A value of a form's field. */
const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
export type FieldValue = z.infer<typeof fieldValue>

/** A field of a form that an MCP server asks the user to fill in; its texts are the server's, without hidden characters. */
export const elicitationField = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
  /** `choice`: one of `options`; `choices`: any of them */
  type: z.enum(['text', 'number', 'integer', 'boolean', 'choice', 'choices']),
  /** format of a text */
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  /** length of a text, size of a number, or how many choices */
  min: z.number().optional(),
  max: z.number().optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  default: fieldValue.optional(),
})
export type ElicitationField = z.infer<typeof elicitationField>

/** One request of a server: values for a form, or something that the user has to do on a page of the web. */
export const elicitation = z.discriminatedUnion('mode', [
  z.object({
    mode: z.literal('form'),
    /** names the request among those of its call */
    key: z.string(),
    message: z.string(),
    fields: z.array(elicitationField),
  }),
  z.object({
    mode: z.literal('url'),
    key: z.string(),
    message: z.string(),
    url: z.string(),
    /** in its ASCII form (`xn--…`), with the port if it is not the usual one */
    host: z.string(),
  }),
])
export type Elicitation = z.infer<typeof elicitation>

/** Values of a form by the names of its fields. */
export const formContent = z.record(z.string(), fieldValue)
export type FormContent = z.infer<typeof formContent>

/** What the user does with all requests of a call at once. */
export const elicitationResponse = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  /** the content of each form by the key of its request; only with `accept` */
  content: z.record(z.string(), formContent).optional(),
})
export type ElicitationResponse = z.infer<typeof elicitationResponse>

/** What a server asked the user during a call, and what it was sent. */
export const elicitedInput = z.object({
  message: z.string(),
  action: z.enum(['accept', 'decline', 'cancel']),
  /** host of a web page that the server asked to open */
  host: z.string().optional(),
  content: formContent.optional(),
})
export type ElicitedInput = z.infer<typeof elicitedInput>
