import { GetObjectCommand, paginateListObjectsV2, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '../../aws/operator-error.ts'

/** Users' finished files; what is being uploaded, and exports, end by themselves. */
const prefix = 'users/'

/** Copies users' files into a folder. @returns how many, and how many of them were there with the same size */
export async function downloadUploads(
  client: S3Client,
  Bucket: string,
  folder: string,
): Promise<{ copied: number; present: number }> {
  let copied = 0
  let present = 0
  await mkdir(folder, { recursive: true })
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
    for (const { Key = '', Size } of Contents) {
      const path = resolve(folder, Key.slice(prefix.length))
      // no key of the product does, and none may leave the folder
      if (!path.startsWith(resolve(folder) + sep)) continue
      if ((await stat(path).catch(() => undefined))?.size === Size) {
        present += 1
        continue
      }
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      await mkdir(dirname(path), { recursive: true })
      // a copy that was interrupted is not taken for a whole one
      await pipeline(Body as Readable, createWriteStream(`${path}.part`, { mode: 0o600 }))
      await rename(`${path}.part`, path)
      copied += 1
    }
  return { copied, present }
}

/** Puts the files of a copy back; a file that is there is replaced. @returns how many @throws OperatorError without such a folder */
export async function uploadUploads(client: S3Client, Bucket: string, folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new OperatorError(`${folder} cannot be read: it is the folder uploads of a backup.`, {
      cause: error,
    })
  })
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const path of paths)
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key: prefix + relative(folder, path).replaceAll(sep, '/'),
        Body: createReadStream(path),
        ContentLength: (await stat(path)).size,
      }),
    )
  return paths.length
}
