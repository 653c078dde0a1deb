import { inputRequired, type McpServer } from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'
import type { DemoContext } from './server.ts'

const text = (line: string) => ({ content: [{ type: 'text' as const, text: line }] })

/** A tool that sends the user to a page of the server, and asks again until it was confirmed there. */
export function registerConfirmIdentity(
  server: McpServer,
  { origin, confirmedCodes, stateCodec }: DemoContext,
): void {
  server.registerTool(
    'confirm_identity',
    {
      title: 'Confirm identity',
      description: 'Confirms the identity of the user on a page of the restaurant.',
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    async (ctx) => {
      const { inputResponses, requestState } = ctx.mcpReq
      const response = inputResponses?.['page'] as { action?: string } | undefined
      if (response && response.action !== 'accept')
        return text(`The identity was not confirmed: the user chose ${response.action}.`)
      const state = requestState<{ tool: string; code: string }>()
      if (state && state.tool !== 'confirm_identity') throw new Error('The state belongs to another call.')
      if (response && state && confirmedCodes.has(state.code)) return text('The identity is confirmed.')
      const code = state?.code ?? randomBytes(9).toString('base64url')
      return inputRequired({
        inputRequests: {
          page: inputRequired.elicitUrl({
            message: state
              ? 'Nothing was confirmed on the page yet. Please open it and confirm.'
              : 'Please confirm on our page that it is you.',
            url: `${origin}/confirm?code=${code}`,
          }),
        },
        requestState: await stateCodec.mint({ tool: 'confirm_identity', code }, ctx),
      })
    },
  )
}

/** The page itself: a button, and what it says after the click. */
export function confirmPage(
  method: string,
  { pathname, searchParams }: URL,
  confirmedCodes: DemoContext['confirmedCodes'],
): { status: number; html: string } | undefined {
  if (pathname !== '/confirm') return undefined
  const code = searchParams.get('code') ?? ''
  if (!/^[\w-]{12}$/.test(code)) return { status: 400, html: 'This address is not complete.' }
  if (method === 'POST') confirmedCodes.add(code)
  const body = confirmedCodes.has(code)
    ? '<p>Confirmed. You can go back to the chat.</p>'
    : '<form method="post"><button>It is me</button></form>'
  return { status: 200, html: `<!doctype html><title>Demo restaurant</title><h1>Demo restaurant</h1>${body}` }
}
