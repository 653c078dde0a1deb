import { defineSentences } from './to-sentence.ts'

/** Why an MCP server could not be connected. */
export const serverSentences = {
  'mcp_server_failed.version':
    'The server accepts none of the protocol versions that are spoken here.{said, quote}',
  'mcp_server_failed.refused': 'The server refused the connection.{said, quote}',
  'mcp_server_failed.web_page':
    'A web page answered at this address, not an MCP server. Check the address: it often ends in /mcp.',
  'mcp_server_failed.error_page':
    'A web page answered at this address ({status}), not an MCP server. Check the address: it often ends in /mcp.',
  'mcp_server_failed.fault':
    'The server at this address has a fault of its own ({status}). Please try again later.',
  'mcp_server_failed.busy':
    'The server at this address takes no more requests right now. Please try again in a moment.',
  'mcp_server_failed.status': 'The server at this address refused the connection ({status}).{said, quote}',
  'mcp_server_failed.other':
    'Something answered at this address, but not as an MCP server does.{said, quote}',
  'mcp_server_failed.late':
    'Nothing answered at this address in time. Check the address, or try again later.',
  'mcp_server_failed.none': 'No MCP server responded at this address.',
} as const

export const sayServer = defineSentences(serverSentences)
