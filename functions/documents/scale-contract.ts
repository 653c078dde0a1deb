import * as z from 'zod'

// What the parser is asked about a picture for a model. It validates the request, and its caller the answer: both have untrusted bytes.

const base64 = z
  .string()
  .max(6_000_000)
  .regex(/^[\w+/]*=*$/)

export const maxParts = 5

export const scaleRequest = z.strictObject({
  image: base64,
  maxSide: z.int().min(1).max(2_000),
  maxBytes: z.int().positive(),
})
export type ScaleRequest = z.infer<typeof scaleRequest>

export const scaleAnswer = z.strictObject({
  /** from top to bottom, or from left to right; empty if the picture could not be read within the limits */
  parts: z.array(z.strictObject({ type: z.enum(['image/png', 'image/jpeg']), base64 })).max(maxParts),
})
export type ScaleAnswer = z.infer<typeof scaleAnswer>
