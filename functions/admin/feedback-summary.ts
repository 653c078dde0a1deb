import type { AdminFeedback } from '#shared/contracts/admin.ts'
import type { feedbackReader } from '../feedback/feedback-reader.ts'
import { startAccountsDeadline } from './accounts-deadline.ts'
import type { UserDirectory } from './user-directory.ts'

/** Texts of a month in one response. */
const maxTexts = 500

/**
 * What users thought of replies in a month: counts by model and assistant, and the texts that their users let administrators read. One
 * query for each account.
 * @param month `2026-11`, UTC
 * @throws TooManyAccounts
 */
export async function readFeedback(
  feedback: ReturnType<typeof feedbackReader>,
  users: Pick<UserDirectory, 'listAll'>,
  month: string,
): Promise<AdminFeedback> {
  const counts = new Map<string, AdminFeedback['counts'][number]>()
  const texts: AdminFeedback['texts'] = []
  const requireTime = startAccountsDeadline()
  for await (const page of users.listAll()) {
    requireTime()
    await Promise.all(
      page.map(async ({ id, email }) => {
        for (const { rating, text, named, model, assistant, at } of await feedback.list(id)) {
          if (!at.startsWith(month)) continue
          const ratedBy = { model, ...(assistant && { assistant }) }
          const key = JSON.stringify([model, assistant?.id])
          const count = counts.get(key) ?? { ...ratedBy, up: 0, down: 0 }
          counts.set(key, { ...count, [rating]: count[rating] + 1 })
          if (text !== undefined) texts.push({ ...ratedBy, rating, text, at, ...(named && { email }) })
        }
      }),
    )
  }
  return {
    month,
    counts: [...counts.values()].toSorted((one, other) => sum(other) - sum(one)),
    texts: texts.toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, maxTexts),
    older_texts: Math.max(0, texts.length - maxTexts),
  }
}

const sum = ({ up, down }: AdminFeedback['counts'][number]) => up + down
