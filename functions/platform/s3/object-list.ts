import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { ObjectStoreUnavailable, type ObjectStore } from './object-store.ts'
import { s3Client } from './s3-client.ts'

// separate from the store, so that only functions whose code imports this may list objects

/**
 * The keys of all objects under a prefix, in pages of at most 1,000, as many as one request deletes.
 * @throws ObjectStoreUnavailable
 */
export async function* listKeys({ bucket }: Pick<ObjectStore, 'bucket'>, prefix: string) {
  let token: string | undefined
  do {
    const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token })
    const { Contents = [], NextContinuationToken } = await s3Client()
      .send(list)
      .catch((cause: unknown) => {
        throw new ObjectStoreUnavailable('objects could not be listed', { cause })
      })
    if (Contents.length > 0) yield Contents.flatMap(({ Key }) => Key ?? [])
    token = NextContinuationToken
  } while (token !== undefined)
}
