import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { chunkBytes } from '../limits.ts'

/** Compresses a value of any size into chunks that fit into a row each; equal values give equal chunks. */
export async function packChunks(value: unknown): Promise<Uint8Array[]> {
  const packed = await promisify(gzip)(JSON.stringify(value))
  return Array.from({ length: Math.ceil(packed.length / chunkBytes) }, (_, chunk) =>
    packed.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes),
  )
}

/** @param chunks all of them, in order. @throws Error when one is missing or damaged */
export async function unpackChunks(chunks: readonly Uint8Array[]): Promise<unknown> {
  return JSON.parse((await promisify(gunzip)(Buffer.concat(chunks))).toString('utf8')) as unknown
}
