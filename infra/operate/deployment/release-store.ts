import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { StackLocation } from '../doctor/stacks.ts'
import { clientOptions } from '../doctor/identity.ts'
import { readRecord, releaseRecord, type ReleaseRecord, type StoredRelease } from './release-record.ts'

/**
 * Records of releases are in the bucket of uploads: it belongs to one stage, is private, exists before the first release and remains with the
 * data. No function may write this prefix; the bootstrap's bucket is shared by all stages, and whoever deploys one of them writes there.
 */
export const releasesPrefix = 'releases/'

/** Older ones are deleted when another is stored. A lifecycle rule would delete the only earlier release of a stage that is rarely deployed. */
const maxReleases = 20

/** The records of a stage's releases. */
export interface ReleaseStore {
  /** The newest first. */
  list(locations: readonly StackLocation[]): Promise<StoredRelease[]>
  /** Stores a new record, and deletes the oldest beyond 20. */
  add(record: ReleaseRecord): Promise<void>
  /** Writes a record again. */
  replace(key: string, record: ReleaseRecord): Promise<void>
}

/** @param Bucket the output `UploadsBucketName` */
export function openReleaseStore(Bucket: string, region: string): ReleaseStore {
  const client = new S3Client(clientOptions(region))
  const write = async (Key: string, record: ReleaseRecord) => {
    const Body = `${JSON.stringify(releaseRecord.parse(record), null, 2)}\n`
    await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json' }))
  }
  const listKeys = async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: releasesPrefix }))
    return Contents.flatMap(({ Key }) => Key ?? []).toSorted((a, b) => (a < b ? 1 : -1))
  }
  return {
    async list(locations) {
      const keys = (await listKeys()).slice(0, maxReleases)
      return Promise.all(
        keys.map(async (Key) => {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
          return { key: Key, record: readRecord((await Body?.transformToString()) ?? '', locations) }
        }),
      )
    },
    async add(record) {
      await write(`${releasesPrefix}${record.deployedAt}.json`, record)
      for (const Key of (await listKeys()).slice(maxReleases))
        await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    replace: write,
  }
}
