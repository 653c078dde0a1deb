/** The look of a card, for elements that are more than a card. `[--hairline:…]` gives its line another colour. */
export const cardClass = 'rounded-lg bg-surface-raised text-ui hairline'
