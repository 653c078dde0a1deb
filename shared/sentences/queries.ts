import { defineSentences } from './to-sentence.ts'

/** Why a statement over tables did not run. What SQLite says stays as it is. */
export const querySentences = {
  'query.no_tables': 'There are no tables in the files of this conversation or its project.',
  'query.not_built':
    'The tables of {files, list} could not be built: it took too long, or they are too large. Their text can be read and searched.',
  'query.result_gone': 'Tables of results last until their reply ends: call the tool again.',
  'query.lists_too_long': 'These lists are too long to be queried together.',
  'query.not_stored': 'The tables {tables} are not stored any more.',
  'query.too_large': 'The tables are too large to be queried together. Name fewer of them.',
  'query.memory': 'The statement needed more than {megabytes} MB and was ended. Join or sort less at once.',
  'query.time': 'The statement took longer than {seconds} seconds and was ended. Make it simpler.',
  'query.server': 'This server’s version of Node cannot restrict statements. Node 24.10 or newer is needed.',
  'query.sqlite': '{message}',
} as const

export const sayQuery = defineSentences(querySentences)
