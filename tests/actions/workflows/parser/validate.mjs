// What GitHub's own parser says of the files named, one line each. Run with the folder that paths are relative to and, as
// json, the folders that stand for other repositories.
import {readFileSync} from "node:fs";
import {register} from "node:module";
import {join} from "node:path";

// The parser imports json in a way that only bundlers take; this tells node what it is.
register(`data:text/javascript,${encodeURIComponent(`
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    return found.url.endsWith(".json") ? {...found, importAttributes: {type: "json"}} : found;
  }
`)}`);
const {validate} = await import("@actions/languageservice");
const {TextDocument} = await import("vscode-languageserver-textdocument");

const [root, others, ...paths] = process.argv.slice(2);
const folders = JSON.parse(others);
const read = (path, folder = root) => readFileSync(join(folder, path), "utf8");
const fileProvider = {
  getFileContent: async ({owner, repository, path}) => ({name: path, content: read(path, folders[`${owner}/${repository}`])}),
};
for (const path of paths) {
  const document = TextDocument.create(`file:///${path}`, "yaml", 1, read(path));
  for (const {range, message} of await validate(document, {fileProvider})) {
    console.log(`${path}:${range.start.line + 1}: ${message}`);
  }
}
