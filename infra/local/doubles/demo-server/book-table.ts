import { acceptedContent, inputRequired, type McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { DemoContext } from './server.ts'

const booking = z.object({
  date: z.iso.date(),
  people: z.number().int(),
  seating: z.enum(['inside', 'terrace', 'bar']),
  extras: z.array(z.string()).optional(),
  email: z.string().optional(),
  quiet: z.boolean().optional(),
})

const text = (line: string) => ({ content: [{ type: 'text' as const, text: line }] })

/** A tool that asks for date, people and seating in a form before it books. */
export function registerBookTable(server: McpServer, { stateCodec }: DemoContext): void {
  server.registerTool(
    'book_table',
    {
      title: 'Book a table',
      description: 'Books a table in a restaurant. Asks the user for the details.',
      inputSchema: z.object({ restaurant: z.string().default('Osteria') }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    async ({ restaurant }, ctx) => {
      const { inputResponses, requestState } = ctx.mcpReq
      const response = inputResponses?.['details'] as { action?: string } | undefined
      if (response && response.action !== 'accept')
        return text(`No table was booked: the user chose ${response.action}.`)
      const details = acceptedContent(inputResponses, 'details', booking)
      const state = requestState<{ tool: string; restaurant: string }>()
      if (details && (state?.tool !== 'book_table' || state.restaurant !== restaurant))
        throw new Error('The details belong to another call.')
      if (details)
        return text(
          `Booked at ${restaurant}: ${details.date}, ${details.people} people, ${details.seating}${details.quiet ? ', a quiet table' : ''}.`,
        )
      return inputRequired({
        inputRequests: {
          details: inputRequired.elicit({
            message: `When would you like to eat at ${restaurant}, and with how many people?`,
            requestedSchema: {
              type: 'object',
              properties: {
                date: { type: 'string', title: 'Date', format: 'date' },
                people: { type: 'integer', title: 'People', minimum: 1, maximum: 12, default: 2 },
                seating: {
                  type: 'string',
                  title: 'Seating',
                  oneOf: [
                    { const: 'inside', title: 'Inside' },
                    { const: 'terrace', title: 'On the terrace' },
                    { const: 'bar', title: 'At the bar' },
                  ],
                  default: 'inside',
                },
                extras: {
                  type: 'array',
                  title: 'Extras',
                  items: { type: 'string', enum: ['high chair', 'vegan menu', 'birthday cake'] },
                  maxItems: 2,
                },
                email: {
                  type: 'string',
                  title: 'E-mail',
                  description: 'For the confirmation',
                  format: 'email',
                },
                quiet: { type: 'boolean', title: 'A quiet table', default: true },
              },
              required: ['date', 'people', 'seating'],
            },
          }),
        },
        requestState: await stateCodec.mint({ tool: 'book_table', restaurant }, ctx),
      })
    },
  )
}
