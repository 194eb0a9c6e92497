# The service, its pages and the command line. docs/install.md says how to run it.
#   docker build -t dokima .
#   docker run --init --read-only -p 127.0.0.1:3000:3000 -v dokima:/data dokima
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && npm run pack
# Source maps and types are a quarter of what npm installs, and no program reads them.
RUN mv dist/dokima /dokima \
  && npm ci --prefix /dokima --ignore-scripts --no-audit --no-fund \
  && find /dokima/node_modules -type f -regex '.*\.\(map\|[cm]?ts\)' -delete
# What a start would otherwise make each time, because the file system of the container is read-only: compiled code, and Python's memory.
WORKDIR /dokima
ENV NODE_COMPILE_CACHE=/dokima/node_modules/.cache/dokima
COPY deploy/container/warm.js /tmp/warm.js
RUN node --min-semi-space-size=16 --max-semi-space-size=16 /tmp/warm.js

FROM ${BASE_IMAGE}
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /dokima /dokima
RUN install -d -o 10001 -g 10001 -m 700 /data
WORKDIR /dokima
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/dokima/node_modules/.cache/dokima \
    HOST=0.0.0.0 \
    DOKIMA_WORKER_PORT=3000 \
    DOKIMA_DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
# Services and scoring processes answer on the same port.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--min-semi-space-size=16", "--max-semi-space-size=16"]
# A scoring process: docker run … dokima server/start.js worker. The command line: docker run … dokima cli/bin/dokima.js doctor
CMD ["server/start.js"]
