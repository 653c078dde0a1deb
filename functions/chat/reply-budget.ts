import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Logger } from '../platform/logger.ts'
import type { Table } from '../platform/table.ts'
import { TokensUsedUp, TooManyReplies } from './errors.ts'
import type { Progress } from './progress.ts'

const daySeconds = 86_400
/** Where a model does not say how many tokens it wrote: what English text comes to. */
const charactersPerToken = 4

export interface ReplyLimits {
  readonly repliesAtOnce: number
  readonly tokensPerDay: number
}

/** A place among the replies that are written at once, named by the second after which it is free anyhow. */
const placeUntil = (seconds: number) => `${seconds.toString(36)}-${crypto.randomUUID().slice(0, 8)}`
const isOver = (place: string, nowSeconds: number) => Number.parseInt(place, 36) < nowSeconds

/** What a reply has used, as far as it is known. */
const tokensOf = ({ inputTokens, outputTokens, content }: Progress) =>
  inputTokens + outputTokens || Math.ceil(content.length / charactersPerToken)

/**
 * Limits per user beside calls a minute: replies written at once, and tokens a day (UTC). One item a day holds both, so a reply
 * costs one write when it begins and one when it ends.
 */
export const replyBudget = (
  { client, name: TableName }: Table,
  { repliesAtOnce, tokensPerDay }: ReplyLimits,
) => {
  const keyOn = (sub: string, day: number) => ({ PK: `RATE#${sub}`, SK: `replies#${day}` })
  const names = { '#open': 'open', '#tokens': 'tokens', '#ttl': 'ttl' }

  async function take(key: Record<string, string>, day: number, place: string): Promise<boolean> {
    try {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: key,
          UpdateExpression: 'ADD #open :place SET #ttl = :ttl',
          ConditionExpression:
            '(attribute_not_exists(#open) OR size(#open) < :most) AND (attribute_not_exists(#tokens) OR #tokens < :tokens)',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: {
            ':place': new Set([place]),
            ':ttl': (day + 2) * daySeconds,
            ':most': repliesAtOnce,
            ':tokens': tokensPerDay,
          },
        }),
      )
      return true
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false
      throw error
    }
  }

  async function giveBack(key: Record<string, string>, places: readonly string[], tokens: number) {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: key,
        UpdateExpression: 'DELETE #open :places ADD #tokens :tokens',
        ExpressionAttributeNames: { '#open': names['#open'], '#tokens': names['#tokens'] },
        ExpressionAttributeValues: { ':places': new Set(places), ':tokens': tokens },
      }),
    )
  }

  /** @returns gives the place back, and counts the tokens. @throws TooManyReplies, TokensUsedUp */
  async function open(sub: string, forMs: number): Promise<(tokens: number) => Promise<void>> {
    const nowSeconds = Math.floor(Date.now() / 1_000)
    const day = Math.floor(nowSeconds / daySeconds)
    const key = keyOn(sub, day)
    const place = placeUntil(nowSeconds + Math.ceil(forMs / 1_000))
    if (!(await take(key, day, place))) {
      const { Item } = await client.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }))
      if (Number(Item?.['tokens'] ?? 0) >= tokensPerDay)
        throw new TokensUsedUp('the tokens of the day are used up', (day + 1) * daySeconds - nowSeconds)
      // functions that were ended from outside have left theirs
      const over = [...((Item?.['open'] ?? []) as Iterable<string>)].filter((one) => isOver(one, nowSeconds))
      if (over.length > 0) await giveBack(key, over, 0)
      if (!(await take(key, day, place))) throw new TooManyReplies('no place for another reply')
    }
    return (tokens) => giveBack(key, [place], tokens)
  }

  return {
    /**
     * Takes a place for a reply that an invocation may begin; it counts from now on.
     * @param forMs after which the invocation has ended, whatever happens
     */
    take(sub: string, forMs: number, log: Logger): Place {
      const opening = open(sub, forMs)
      const taken = opening.then(() => undefined)
      // awaited by who needs the place; until then its failure is nobody's unhandled rejection
      taken.catch(() => undefined)
      let used = false
      const end = async (tokens: number) => {
        const close = await opening.catch(() => undefined)
        // what cannot be given back is free by itself when its time is over
        await close?.(tokens).catch((error: unknown) => log.warn('a place was not given back', { error }))
      }
      return {
        taken,
        async until(ended, progress) {
          used = true
          const result = await ended
          await end(tokensOf(progress))
          return result
        },
        async leave() {
          if (!used) await end(0)
        },
      }
    },
  }
}

/** A place among the replies that are written for a user at once. */
export interface Place {
  /** @throws TooManyReplies, TokensUsedUp */
  taken: Promise<void>
  /** Keeps the place until a reply has ended, and counts what it has used. */
  until: <Result>(ended: Promise<Result>, progress: Progress) => Promise<Result>
  /** Gives the place back when no reply was begun. */
  leave: () => Promise<void>
}
