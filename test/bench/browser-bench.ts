import type { Browser } from 'playwright-core'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { launch } from './browser.ts'
import type { Bench, Figure } from './figures.ts'
import { startProduct, type Product } from './product.ts'

/** A bench of the page, in a browser and with a product of its own. */
export const browserBench = (
  name: string,
  title: string,
  measure: (browser: Browser, product: Product) => Promise<Figure[]>,
): Bench => ({
  name,
  title,
  async run() {
    await ensureWebBuild()
    const product = await startProduct()
    const browser = await launch()
    try {
      return await measure(browser, product)
    } finally {
      await browser.close()
      await product.end()
    }
  },
})
