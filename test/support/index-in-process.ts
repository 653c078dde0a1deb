import { indexing } from '../../functions/documents/index-text.ts'

/**
 * Indexes texts in the process that imports this module, without limits: the product starts a process for each.
 * `functions/documents/index-text.test.ts` does so, too.
 */
Object.assign(indexing, {
  build: async (text) => {
    const { buildIndex } = await import('../../functions/files/search-index/build-index.ts')
    return buildIndex(text)
  },
} satisfies typeof indexing)
