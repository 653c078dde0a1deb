import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { cleanText } from '../platform/untrusted-text.ts'
import { shortText } from './schemas.ts'

/** The requested scopes cannot list files, so users have to name one. */
const link = z
  .string()
  .trim()
  .max(500)
  .transform((text) => /figma\.com\/(?:file|design|board|slides|proto)\/(\w+)/.exec(text)?.[1] ?? text)
  .pipe(z.string().regex(/^\w{10,64}$/))
  .describe('link of the Figma file, or its key')
const filePath = (key: string) => `/files/${encodeURIComponent(key)}`

/** Read-only, because the requested scopes are. */
export const figma: readonly Capability[] = [
  capability({
    id: 'read_file',
    name: 'Read a file',
    description: 'Reads what a Figma file (design) is called and which pages it has.',
    parameters: z.object({ link }),
    examples: ['What is in https://www.figma.com/design/AbCdEf123456/Home?'],
    async run(api, { link: key }, signal) {
      const file = z
        .object({
          name: z.string(),
          lastModified: z.string(),
          document: z.object({
            children: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
          }),
        })
        .parse(await api.call(filePath(key), { query: { depth: 1 } }, signal))
      return {
        name: shortText(file.name),
        modified: file.lastModified,
        pages: file.document.children.map(({ id, name }) => ({ name: shortText(name), id })),
      }
    },
  }),
  capability({
    id: 'list_comments',
    name: 'List comments',
    description: 'Lists the comments on a Figma file (design).',
    parameters: z.object({ link }),
    examples: ['Which comments are on https://www.figma.com/design/AbCdEf123456/Home?'],
    async run(api, { link: key }, signal) {
      const comment = z.object({
        id: z.string(),
        message: z.string(),
        user: z.object({ handle: z.string() }),
        created_at: z.string(),
        resolved_at: z.string().nullable().default(null),
      })
      const { comments } = z
        .object({ comments: z.array(comment) })
        .parse(await api.call(`${filePath(key)}/comments`, {}, signal))
      return {
        comments: comments.slice(0, 50).map(({ id, message, user, created_at, resolved_at }) => ({
          from: shortText(user.handle),
          text: cleanText(message, 500),
          at: created_at,
          resolved: resolved_at !== null,
          id,
        })),
        more: comments.length > 50,
      }
    },
  }),
]
