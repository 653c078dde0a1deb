import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '../../aws/operator-error.ts'

/** Larger bodies are streamed; smaller ones are sent with a hash that S3 checks. */
const bufferedBytes = 16 * 1024 * 1024

/** Where one backup is: names with slashes, and bytes. */
export interface BackupStore {
  /** as the operator has named it */
  readonly place: string
  /** @returns undefined when there is none */
  read(name: string): Promise<Readable | undefined>
  /** Writes all of it or nothing. @param size bytes of the body */
  write(name: string, body: Readable | Uint8Array, size: number): Promise<void>
  /** @returns bytes; undefined when there is none */
  size(name: string): Promise<number | undefined>
  /** Can be repeated. */
  remove(name: string): Promise<void>
}

/**
 * Opens the place of a backup: a folder, or `s3://bucket/prefix`, which may be in another account or region if the bucket's policy
 * lets the operator write.
 * @throws OperatorError for an address that is neither
 */
export function openBackupStore(
  place: string,
  client = () => new S3Client({ followRegionRedirects: true }),
): BackupStore {
  if (!place.includes('://')) return folderStore(place)
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{2,62})(?:\/(.*))?$/.exec(place) ?? []
  if (bucket === undefined)
    throw new OperatorError(`${place} must be a folder, or have the form s3://bucket/prefix.`)
  return bucketStore(client(), bucket, prefix.replace(/\/*$/, ''), place)
}

function folderStore(folder: string): BackupStore {
  const root = resolve(folder)
  const locate = (name: string) => {
    const path = resolve(root, name)
    // no key of the product does, and none may leave the folder
    if (!path.startsWith(root + sep)) throw new OperatorError(`${name} is not inside of ${folder}.`)
    return path
  }
  const size = async (name: string) => {
    const found = await stat(locate(name)).catch(ignoreMissing)
    return found?.isFile() ? found.size : undefined
  }
  return {
    place: folder,
    size,
    read: async (name) => ((await size(name)) === undefined ? undefined : createReadStream(locate(name))),
    async write(name, body) {
      const path = locate(name)
      // whoever reads the folder can read users' files and conversations
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await pipeline(
        body instanceof Readable ? body : Readable.from([body]),
        createWriteStream(`${path}.part`, { mode: 0o600, flush: true }),
      )
      await rename(`${path}.part`, path)
    },
    remove: (name) => rm(locate(name), { force: true }),
  }
}

function bucketStore(client: S3Client, Bucket: string, prefix: string, place: string): BackupStore {
  const locate = (name: string) => ({ Bucket, Key: prefix === '' ? name : join(prefix, name) })
  return {
    place,
    async read(name) {
      const found = await client.send(new GetObjectCommand(locate(name))).catch(ignoreMissing)
      return found?.Body as Readable | undefined
    },
    async write(name, body, size) {
      const Body = body instanceof Readable && size <= bufferedBytes ? await buffer(body) : body
      await client.send(new PutObjectCommand({ ...locate(name), Body, ContentLength: size }))
    },
    size: async (name) =>
      (await client.send(new HeadObjectCommand(locate(name))).catch(ignoreMissing))?.ContentLength,
    async remove(name) {
      await client.send(new DeleteObjectCommand(locate(name)))
    },
  }
}

function ignoreMissing(error: unknown): undefined {
  const { code, name } = error as NodeJS.ErrnoException
  const isMissing =
    error instanceof NoSuchKey || error instanceof NotFound || code === 'ENOENT' || name === 'NotFound'
  if (!isMissing) throw error
}
