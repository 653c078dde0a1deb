import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { shortField } from '../schemas.ts'

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
export const tools: readonly Capability[] = [
  capability({
    id: 'read_file',
    name: 'Read a file',
    description: 'Reads what a Figma file (design) is called and which pages it has.',
    parameters: z.object({ link }),
    examples: ['What is in https://www.figma.com/design/AbCdEf123456/Home?'],
    async run(api, { link: key }) {
      const page = z.object({ id: z.string(), name: shortField })
      const file = z.object({
        name: shortField,
        lastModified: z.string(),
        document: z.object({ children: z.array(page).default([]) }),
      })
      const { name, lastModified, document } = await api.get(file, filePath(key), { depth: 1 })
      return { name, modified: lastModified, pages: document.children }
    },
  }),
  capability({
    id: 'list_comments',
    name: 'List comments',
    description: 'Lists the comments on a Figma file (design).',
    parameters: z.object({ link }),
    examples: ['Which comments are on https://www.figma.com/design/AbCdEf123456/Home?'],
    async run(api, { link: key }) {
      const comment = z.object({
        id: z.string(),
        message: z.string(),
        user: z.object({ handle: shortField }),
        created_at: z.string(),
        resolved_at: z.string().nullish(),
      })
      const response = z.object({ comments: z.array(comment) })
      const { comments } = await api.get(response, `${filePath(key)}/comments`)
      return {
        comments: comments.slice(0, 50).map(({ id, message, user, created_at, resolved_at }) => ({
          from: user.handle,
          text: cleanText(message, 500),
          at: created_at,
          resolved: Boolean(resolved_at),
          id,
        })),
        more: comments.length > 50,
      }
    },
  }),
]
