import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { childEnvironment } from './child-environment.ts'

const main = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

export interface EverythingServer {
  /** `host:port`, for OUTBOUND_ALLOW */
  host: string
  /** the address of the chosen transport */
  url: string
  stop(): void
}

/**
 * The protocol's reference server in a separate process, without our environment.
 * @param transport `sse` is the older one, replaced by streamable HTTP
 */
export async function startEverythingServer(
  transport: 'streamableHttp' | 'sse' = 'streamableHttp',
): Promise<EverythingServer> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const child = spawn(process.execPath, [main, transport], {
    env: { ...childEnvironment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  await new Promise<void>((resolve, reject) => {
    let output = ''
    const checkOutput = (text: Buffer) => {
      output += String(text)
      if (/listening on port|running on port/i.test(output)) resolve()
    }
    child.stdout.on('data', checkOutput)
    child.stderr.on('data', checkOutput)
    child.once('exit', () => reject(new Error(`The MCP server ended: ${output}`)))
  })
  const host = `127.0.0.1:${port}`
  return {
    host,
    url: `http://${host}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    stop() {
      process.off('exit', kill)
      kill()
    },
  }
}
