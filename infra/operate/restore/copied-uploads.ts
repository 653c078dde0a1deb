import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { OperatorError } from '../../aws/operator-error.ts'

/** Users' finished files; what is being uploaded, and exports, end by themselves. */
const prefix = 'users/'

/** Puts the files of a copy back; a file that is there is replaced. @returns how many @throws OperatorError without such a folder */
export async function uploadUploads(client: S3Client, Bucket: string, folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new OperatorError(`${folder} cannot be read: it is the folder objects/users of a backup.`, {
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
