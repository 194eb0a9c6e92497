/** Its message says what is wrong with a template, with the line, the column and the tag. */
export class TemplateSyntaxError extends Error {}

/** The record lacks the field that the message names. */
export class MissingPlaceholder extends Error {}

/** A template that parses does what its values do not allow. */
export class TemplateError extends Error {}
