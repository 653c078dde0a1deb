import { afterEach } from 'vitest'
import { closePages } from './browser.ts'

/* For each file of the project: modules stay loaded from one file to the next, hooks do not. */

afterEach(({ task }) => closePages({ name: task.name, hasFailed: task.result?.state === 'fail' }))
