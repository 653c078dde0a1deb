/** A domain in lower case and ASCII. Apart from what checks policies, because the page loads no validator. */
export const domainPattern =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/
