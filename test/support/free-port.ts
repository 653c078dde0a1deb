import { createServer } from 'node:http'
import { listen } from '../../infra/local/listen.ts'

/** @returns a port of 127.0.0.1 that is free now */
export async function findFreePort(): Promise<number> {
  const server = await listen(createServer())
  await server.close()
  return server.port
}
