import { PutObjectCommand } from '@aws-sdk/client-s3'
import { StoreUnavailable, type ObjectStore } from './object-store.ts'

/** Stores an object that the product made itself. @throws StoreUnavailable */
export async function putObject(
  { client, bucket }: ObjectStore,
  { key, body, type }: { key: string; body: Uint8Array; type: string },
): Promise<void> {
  try {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: body,
        ContentType: type,
        CacheControl: 'max-age=3600',
      }),
    )
  } catch (error) {
    throw new StoreUnavailable('an object could not be stored', { cause: error })
  }
}
