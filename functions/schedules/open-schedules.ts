import { assistantReader } from '../assistants/assistant-reader.ts'
import { loadMark } from '../platform/auth/token-revocation.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { dueIndex, spreadMinutes } from './due-index.ts'
import { manageSchedules, type ManageDeps } from './manage-schedules.ts'
import { scheduleRepository } from './schedule-repository.ts'

// the chat loads this file, as one chunk, with the first call of a tool for schedules (ADR 0035)

/** @param listTools those that a schedule may be allowed to call without asking */
export type OpenSchedules = (
  listTools: ManageDeps['listTools'],
) => Promise<Pick<ReturnType<typeof manageSchedules>, 'list' | 'create' | 'change' | 'remove'>>

const startNone = () => Promise.reject(new Error('a reply starts no runs'))

/** Opens what lists, creates, changes and deletes schedules. It starts no runs. */
export const openSchedules = (
  table: Table,
  spread: number | undefined,
  { listTools, findRun }: Pick<ManageDeps, 'listTools' | 'findRun'>,
): Awaited<ReturnType<OpenSchedules>> =>
  manageSchedules({
    schedules: scheduleRepository(table),
    index: dueIndex(table, { spreadMinutes: spreadMinutes.parse(spread) }),
    projects: projectRepository(table),
    assistants: assistantReader(table),
    listTools,
    // the tools of a reply name none
    models: undefined,
    findRun,
    send: startNone,
    isStopped: startNone,
    loadMark: (sub) => loadMark(table, sub),
    now: Date.now,
  })
