import type { ReactNode } from 'react'
import { ScrollRegion } from './scroll-region.tsx'

/** A table, which scrolls inside itself where it is wider than the column. */
export function ScrollingTable({ children }: { children: ReactNode }) {
  return (
    <ScrollRegion label="Table">
      <table>{children}</table>
    </ScrollRegion>
  )
}
