# The image of the action: Debian's Python, this package and what it imports, and nothing else - no
# shell, no package manager, no compiler.
#
# The base image is used to build only. Releases build from it by digest (BASE, see the release
# workflow) and publish the provenance; the default is a tag so that a copy made locally serves as well.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# Debian removes superseded versions from its mirrors, so exact ones would soon stop the build.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv \
  && rm -rf /var/lib/apt/lists/* \
  && python3 -m venv /opt/build

WORKDIR /src

COPY requirements/runtime.lock requirements/build.lock requirements/
RUN /opt/build/bin/pip install --require-hashes --no-deps --only-binary :all: \
    --target /opt/packages -r requirements/runtime.lock \
  && /opt/build/bin/pip install --require-hashes --no-deps --only-binary :all: \
    -r requirements/build.lock

COPY . .
RUN /opt/build/bin/pip install --no-deps --no-build-isolation --target /opt/packages . \
  && /usr/bin/python3 docker/rootfs.py /rootfs /opt/packages

FROM scratch

LABEL org.opencontainers.image.title="manni-action" \
  org.opencontainers.image.description="Checks the front matter of agent skills, agent definitions and pages against JSON Schemas" \
  org.opencontainers.image.licenses="MIT"

COPY --from=build /rootfs /

ENV PATH=/usr/bin SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt

ENTRYPOINT ["/usr/bin/manni"]
CMD ["action"]
